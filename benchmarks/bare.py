"""A bare Streamlit page, one slider and one chart: what the dashboard is measured beside."""

import numpy as np
import pandas as pd
import streamlit as st

sharpness = st.slider("Sharpness β", 0.0, 16.0, 1.0)
scores = np.linspace(-1.0, 1.0, 6)
weights = np.exp(sharpness * scores)
st.bar_chart(pd.DataFrame({"weight": weights / weights.sum()}))
