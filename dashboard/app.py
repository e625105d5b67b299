"""The front door: import path, page settings, sidebar, navigation, run."""

import gc
import sys
from pathlib import Path

# `streamlit run` puts this folder on the import path; `core` and `dashboard` live one above it.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import streamlit as st

from dashboard import blocks, browser, controls, follow, messages, session
from dashboard.about import about
from dashboard.link import MAX_TOKENS


@st.cache_resource(show_spinner=False)
def settle() -> None:
    """Set aside, once, all that lives as long as the server: it is not walked again."""
    gc.collect()
    gc.freeze()


PAGES = {
    "weights": st.Page("views/weights.py", title="Weights: copy or blend?", default=True),
    "edit": st.Page("views/edit.py", title="Edit: change one token", url_path="edit"),
    "order": st.Page("views/order.py", title="Order: shuffle the tokens", url_path="order"),
}

page = st.navigation(list(PAGES.values()), position="hidden")
name = next(name for name, known in PAGES.items() if known == page)
st.set_page_config(
    page_title=f"{page.title} · attention explorer", layout="wide", menu_items={"About": about()}
)
st.html(blocks.STYLE)

session.begin()
view, notes = session.open_view()
session.tell_address()
blocks.picture_names().clear()
follow.begin()
with st.sidebar:
    controls.menu(PAGES, view)
    controls.sidebar(view)
    controls.share(view, name)

messages.link_notes(notes)
n = len(view.tokens)
if n == 0:
    st.title(page.title, anchor=False)
    st.info("There is no token to read. Type a sentence into the box beside the page.")
elif n > MAX_TOKENS:
    st.title(page.title, anchor=False)
    st.info(
        f"The sentence has {n:,} tokens, and this page reads at most {MAX_TOKENS:,}. "
        "Shorten it in the box beside the page; nothing of it is lost."
    )
else:
    page.run()

follow.draw(lambda view: controls.share_link(view, name))
browser.greet_servers()
session.forget()

# Garbage is collected here and not by the platform, which would walk all sessions after every run:
# also after a moved sharpness, which leaves next to nothing and is waited for.
settle()
gc.collect()
