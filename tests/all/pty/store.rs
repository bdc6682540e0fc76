//! Stores made by hand for the program to open.
