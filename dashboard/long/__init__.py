"""The pages for a sentence too long to draw every cell: pooled pictures, and windows into them."""
