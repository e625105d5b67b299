"""How things are drawn: arrays in, a picture out; nothing here knows a screen."""
