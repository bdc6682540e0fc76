//! Tests of the whole: the real binary on made-up homes, and the plan of the house.

mod cli_commands;
mod cli_demo;
mod cli_doctor;
mod cli_home;
mod cli_index;
mod cli_memories;
mod cli_oracle;
mod cli_project_home;
mod cli_projects;
mod cli_prune;
mod cli_prune_refused;
mod cli_safety;
mod cli_search;
mod cli_streams;
mod cli_write;
mod cli_write_cases;
mod cli_write_home;
mod cli_write_others;
mod cli_write_refused;
mod cli_write_shown;
mod kill;
mod layering;
mod pty;
mod race;
mod readme;
mod removals;
