"""The front: takes each request in whole before anybody works on it, and answers without waiting, so that slow clients hold no worker."""
