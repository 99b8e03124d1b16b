"""The post as this machine has it: handing mails over, taking them in, and what comes back."""
