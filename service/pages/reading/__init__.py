"""What anybody may read: guides, the API explained, histories and their proof."""
