//! `man`: the manual page, made from the arguments. One page holds the subcommands too.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::args::Arguments;
use crate::cli::failure::Stop;
use crate::cli::help_texts::{ENVIRONMENT, EXAMPLES, EXIT_CODES};
use crate::cli::output::Output;

pub fn run(output: &mut Output) -> Result<(), Stop> {
    page(output)?;
    Ok(())
}

fn page(out: &mut impl Write) -> io::Result<()> {
    let mut command = Arguments::command();
    command.build();
    let commands = commands(&command);
    let man = Man::new(command).manual("loci");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    write!(out, ".SH COMMANDS\n{commands}")?;
    man.render_options_section(out)?;
    for (heading, text) in [
        ("EXAMPLES", EXAMPLES),
        ("EXIT STATUS", EXIT_CODES),
        ("ENVIRONMENT", ENVIRONMENT),
    ] {
        let lines = text.lines().skip(1).map(escape).collect::<Vec<_>>();
        write!(out, ".SH {heading}\n.nf\n{}\n.fi\n", lines.join("\n"))?;
    }
    man.render_version_section(out)
}

/// One tagged paragraph a subcommand: how it is called, what it does, its own arguments.
fn commands(command: &clap::Command) -> String {
    let mut text = String::new();
    for sub in command.get_subcommands() {
        let mut call = format!("\\fB{}\\fR", escape(sub.get_name()));
        let mut details = String::new();
        let own = sub
            .get_arguments()
            .filter(|argument| !argument.is_global_set() && argument.get_id() != "help");
        for argument in own {
            let shown = argument.to_string();
            // A positional argument shows by itself whether it can be left out.
            let _ = match argument.is_positional() {
                true => write!(call, " {}", escape(&shown)),
                false => write!(call, " [{}]", escape(&shown)),
            };
            if let Some(help) = argument.get_help() {
                let _ = writeln!(
                    details,
                    ".br\n{}: {}",
                    escape(&shown),
                    escape(&help.to_string())
                );
            }
        }
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, ".TP\n{call}\n{}", escape(&about));
        text.push_str(&details);
    }
    text
}

/// Text as roff takes it literally.
fn escape(line: &str) -> String {
    let escaped = line.replace('\\', "\\e").replace('-', "\\-");
    match escaped.as_bytes().first() {
        Some(b'.' | b'\'') => format!("\\&{escaped}"),
        _ => escaped,
    }
}
