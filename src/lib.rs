//! loci: see, mend and grow the file-based memory of coding agents.
//!
//! The map of the house, lowest room first; a room knows only the rooms above it in this list
//! (`tests/all/layering.rs` holds that).
//!
//! | room | owns |
//! | --- | --- |
//! | [`base`] | cells, safe display, time, the disk with its sysroot, front matter, Markdown scanning |
//! | [`config`] | our limits and places; the reference client's settings, read only |
//! | [`safety`] | the rules for paths that came from elsewhere |
//! | [`store`] | change sets, journal, trash, history, undo, drafts: the only writer of other people's files |
//! | [`memory`] | keys, canonical git roots, memories, the index, the scan, the search |
//! | [`instructions`] | the CLAUDE.md family: discovery, imports, path rules |
//! | [`transcript`] | transcripts: lines, graph, what a resume sends, what was recorded of requests, usage |
//! | [`project`] | which folder a project is about, with the evidence; where it moved; pruning; archives |
//! | [`health`] | findings: what a memory folder has that costs, one file a family, and the fixes |
//! | [`agents`] | the read model (shelves and entries) that screen and command line show |
//! | [`llm`] | models: the protocols, streams, tries, deadlines, breakers |
//! | [`context`] | one request from its parts, each with its origin; what it costs; the ledger |
//! | [`turn`] | one turn of a conversation: its states, the tools and their cage, what they propose |
//! | [`engine`] | what is done with a model: a turn to its end, recall |
//! | [`app`] | the model of the screen: state, actions, keys, `update` |
//! | [`worker`] | the only place that spawns: effects in, messages out |
//! | [`tui`] | the terminal, the loop, the views |
//! | [`cli`] | arguments, subcommands, output, exit codes |

#![forbid(unsafe_code)]

pub mod agents;
pub mod app;
pub mod base;
pub mod cli;
pub mod config;
pub mod context;
pub mod engine;
pub mod health;
pub mod instructions;
pub mod llm;
pub mod memory;
pub mod project;
pub mod safety;
pub mod store;
pub mod transcript;
pub mod tui;
pub mod turn;
pub mod worker;
