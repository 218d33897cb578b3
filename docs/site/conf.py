# Sphinx reads the Markdown that pages.py writes; scripts/site runs both.
project = html_title = 'edgewise'
extensions = ['myst_parser']
myst_heading_anchors = 4
highlight_language = 'text'
html_theme = 'furo'
html_static_path = ['static']
html_css_files = ['site.css']
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
