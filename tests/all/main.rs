//! Tests of the whole: the real binary on made-up homes.

mod cli_home;
mod cli_oracle;
