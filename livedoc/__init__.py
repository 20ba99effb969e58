"""From a snippet file to what stands on the page: listings that run while the site is built."""
