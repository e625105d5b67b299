"""What the platform itself costs, as it comes: a bare page with one slider and one number."""

import streamlit as st

sharpness = st.slider("Sharpness β", 0.0, 16.0, 1.0, step=0.1)
st.write(f"Sharpness {sharpness:g}")
