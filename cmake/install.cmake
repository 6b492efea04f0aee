# Installed last: see docs.
