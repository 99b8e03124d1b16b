"""What the site vouches with: keys, signatures, tokens and links, and the lots' seeds."""
