#!/bin/bash
# Makes the pictures in screenshots/: the demo in a real terminal (kitty on a virtual display).
#
# usage: tests/screenshots.sh [OUT_FOLDER]
#
# Builds the release binary first, unless LOCI names one. A picture is taken when the window has
# stopped changing, so nothing here depends on how fast the machine is.
set -euo pipefail

cd "$(dirname "$0")/.."
out=${1:-screenshots}

need() { # need COMMAND PACKAGE
    command -v "$1" >/dev/null || missing+=" $2"
}
need_font() { # need_font FAMILY PACKAGE
    fc-list : family | grep -qi "$1" || missing+=" $2"
}
missing=
need Xvfb xvfb
need kitty kitty
need import imagemagick
need xdotool xdotool
need fc-list fontconfig
if command -v fc-list >/dev/null; then
    need_font "JetBrains Mono" fonts-jetbrains-mono
    need_font "Noto Sans CJK" fonts-noto-cjk
    need_font "Noto Color Emoji" fonts-noto-color-emoji
fi
if [ -n "$missing" ]; then
    echo "screenshots.sh: these Debian packages are missing:$missing" >&2
    exit 1
fi

if [ -z "${LOCI:-}" ]; then
    cargo build --release --locked --quiet
    LOCI=${CARGO_TARGET_DIR:-target}/release/loci
fi
LOCI=$(realpath "$LOCI")

work=$(mktemp -d)
display=
terminal=
finish() {
    [ -z "$terminal" ] || kill "$terminal" 2>/dev/null || true
    [ -z "$display" ] || kill "$display" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap finish EXIT

cat >"$work/kitty.conf" <<'CONF'
font_family JetBrains Mono
font_size 11
disable_ligatures always
background #12141c
foreground #d8dee9
cursor #d8dee9
color0 #2a2f3a
color8 #5c6578
color1 #e06c75
color9 #e06c75
color2 #98c379
color10 #98c379
color3 #e5c07b
color11 #e5c07b
color4 #61afef
color12 #61afef
color5 #c678dd
color13 #c678dd
color6 #56b6c2
color14 #56b6c2
color7 #d8dee9
color15 #ffffff
cursor_blink_interval 0
update_check_interval 0
confirm_os_window_close 0
remember_window_size no
initial_window_width 120c
initial_window_height 40c
window_padding_width 6
hide_window_decorations yes
shell_integration disabled
CONF

# A display of its own, whatever else runs on this machine.
mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
display=$!
read -r number <"$work/display"
export DISPLAY=:$number LANG=C.UTF-8 LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1
unset NO_COLOR WAYLAND_DISPLAY

look() { # look FILE: the window as it is now
    import -silent -window "$window" "$1"
}

# Waits until two looks in a row are the same, and different from what FILE shows.
still() { # still [FILE]
    local tries=0
    look "$work/a.png"
    while [ $tries -lt 150 ]; do
        sleep 0.2
        look "$work/b.png"
        if cmp -s <(convert "$work/a.png" rgb:-) <(convert "$work/b.png" rgb:-) &&
            ! { [ -n "${1:-}" ] && cmp -s <(convert "$1" rgb:-) <(convert "$work/b.png" rgb:-); }; then
            return
        fi
        mv "$work/b.png" "$work/a.png"
        tries=$((tries + 1))
    done
    echo "screenshots.sh: the window does not come to rest" >&2
    exit 1
}

# The demo in a fresh terminal, KEYs (as xdotool names them) pressed one after the other.
picture() { # picture NAME KEY...
    local name=$1 key tries
    shift
    HOME=$work kitty --config "$work/kitty.conf" --title "$name" "$LOCI" --demo >/dev/null 2>"$work/kitty.log" &
    terminal=$!
    window=$(timeout 60 xdotool search --sync --onlyvisible --name "." | head -1)
    for tries in $(seq 150); do # until there is text: a window begins empty
        look "$work/a.png"
        [ "$(identify -format %k "$work/a.png")" -lt 50 ] || break
        sleep 0.2
    done
    still
    for key in "$@"; do
        look "$work/before.png"
        xdotool key --window "$window" --clearmodifiers "$key"
        still "$work/before.png"
    done
    mkdir -p "$out"
    convert "$work/b.png" -strip +dither -colors 255 -define png:compression-level=9 -define png:exclude-chunks=date,time "PNG8:$out/$name.png"
    echo "$out/$name.png"
    kill "$terminal"
    wait "$terminal" 2>/dev/null || true
    terminal=
}

picture loci 2 G
picture edit j j j j e
picture health 3 j
picture find slash c l o c k
picture memory slash s t e p Return
picture projects 5 j
picture preview p
picture session 6 j Return
picture usage 7 t
picture session-sent 6 j w
picture after-compaction p a G
picture history j j V d Return 4 j
