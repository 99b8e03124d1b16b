"""The post and clock face: relay, notices, mail, deadlines, house bots, webhooks."""
