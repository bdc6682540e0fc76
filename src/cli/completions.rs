//! `completions`: a script that completes our arguments in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::Arguments;
use crate::cli::failure::Stop;
use crate::cli::output::Output;

pub fn run(shell: Shell, output: &mut Output) -> Result<(), Stop> {
    // The generator panics when its writer fails, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "loci", &mut script);
    std::io::Write::write_all(output, &script)?;
    Ok(())
}
