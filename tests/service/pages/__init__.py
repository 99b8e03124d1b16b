"""The pages, asked for as a browser without scripts would."""
