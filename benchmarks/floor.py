"""What the platform costs at least: the same bare page, its garbage frozen as in the dashboard."""

import gc

import streamlit as st

sharpness = st.slider("Sharpness β", 0.0, 16.0, 1.0, step=0.1)
st.write(f"Sharpness {sharpness:g}")


@st.cache_resource(show_spinner=False)
def settle() -> None:
    """Set aside, once, all that lives as long as the server."""
    gc.collect()
    gc.freeze()


settle()
