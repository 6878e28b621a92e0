# For tests of pages of HTML. Chromium for them: real clicks and keys, sizes and colour schemes, through the DevTools protocol over a pipe.
# Sourced after tap.sh.
#
#   says NAME PAGE PATTERN       like `like`, without printing the page
#   count_of PATTERN             the number of its occurrences on standard input
#   has_browser                  false without Chromium (Debian's package chromium)
#   open_browser; close_browser
#   visit FILE                   shows a page and waits until it has loaded; counts its messages anew
#   viewport WIDTH HEIGHT        in CSS pixels
#   scheme light|dark
#   js EXPRESSION                prints its value; promises are awaited
#   click SELECTOR               scrolls there, presses the pointer in its middle, and lets go
#   press KEY CODE               a key by its name and its virtual key code
#   messages                     the number of messages on the console
#   least_contrast               the least contrast of a visible text with its background, to two digits, and the text
#   picture FILE                 the visible part as PNG
#   print_page FILE              the page as PDF, on its own paper

says() {
  local status=0
  grep -qzE -- "$3" <<<"$2" || status=$?
  report "$status" "$1" "no match for: $3" "page begins: $(head -c 300 <<<"$2")"
}
count_of() { grep -oE "$1" | wc -l; }

has_browser() { BROWSER=$(command -v chromium || command -v chromium-browser); }

open_browser() {
  BROWSER_FOLDER=$(mktemp -d) DEVTOOLS_ID=0 DEVTOOLS_SESSION='' BROWSER_MESSAGES=0
  mkfifo "$BROWSER_FOLDER/commands" "$BROWSER_FOLDER/replies"
  "$BROWSER" --headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe \
    --user-data-dir="$BROWSER_FOLDER/profile" about:blank \
    3<"$BROWSER_FOLDER/commands" 4>"$BROWSER_FOLDER/replies" >"$BROWSER_FOLDER/output" 2>&1 &
  BROWSER_PID=$!
  exec 8>"$BROWSER_FOLDER/commands" 9<"$BROWSER_FOLDER/replies"
  devtools Target.createTarget '{"url": "about:blank"}'
  devtools Target.attachToTarget "{\"targetId\": \"$(member targetId)\", \"flatten\": true}"
  DEVTOOLS_SESSION=$(member sessionId)
  for domain in Page Runtime Log; do devtools "$domain.enable"; done
}

close_browser() {
  exec 8>&- 9<&-
  kill "$BROWSER_PID" 2>/dev/null
  wait "$BROWSER_PID" 2>/dev/null
  rm -rf "$BROWSER_FOLDER"
}

# devtools METHOD [PARAMETERS]: the reply is in REPLY. Messages end with a zero byte.
devtools() {
  local id=$((DEVTOOLS_ID += 1)) parameters=${2:-'{}'}
  printf '{"id": %d, "method": "%s", "params": %s%s}\0' "$id" "$1" "$parameters" \
    "${DEVTOOLS_SESSION:+, \"sessionId\": \"$DEVTOOLS_SESSION\"}" >&8
  until_message "{\"id\":$id,"
}

# until_message BEGINNING: reads on until a message begins so. A minute without one is an error.
until_message() {
  while IFS= read -r -d '' -t 60 -u 9 REPLY; do
    case $REPLY in
      "$1"*) return 0 ;;
      '{"method":"Log.entryAdded"'* | '{"method":"Runtime.consoleAPICalled"'* | '{"method":"Runtime.exceptionThrown"'*)
        BROWSER_MESSAGES=$((BROWSER_MESSAGES + 1))
        ;;
    esac
  done
  REPLY=
  return 1
}

# member NAME: the first text of that name in the reply.
member() { sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p" <<<"$REPLY"; }

visit() {
  BROWSER_MESSAGES=0
  devtools Page.navigate '{"url": "about:blank"}'
  devtools Page.setLifecycleEventsEnabled '{"enabled": true}'
  printf '{"id": 0, "method": "Page.navigate", "params": {"url": "file://%s"}, "sessionId": "%s"}\0' "$(realpath "$1")" \
    "$DEVTOOLS_SESSION" >&8
  until_message '{"method":"Page.frameNavigated"' && until_message '{"method":"Page.loadEventFired"'
}

viewport() {
  devtools Emulation.setDeviceMetricsOverride "{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}"
}

scheme() { devtools Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$1\"}]}"; }

# The value comes as base64 of its UTF-8, so that no reply has to be parsed as JSON.
js() {
  local text="(async () => { const value = String(await ($1)); return btoa(String.fromCharCode(...new TextEncoder().encode(value))); })()"
  text=${text//\\/\\\\} text=${text//\"/\\\"} text=${text//$'\n'/ }
  devtools Runtime.evaluate "{\"expression\": \"$text\", \"awaitPromise\": true, \"returnByValue\": true}"
  case $REPLY in
    *'"exceptionDetails"'*) printf 'exception: %s\n' "$REPLY" ;;
    *) member value | base64 -d ;;
  esac
}

click() {
  local place
  place=$(js "(element => { element.scrollIntoView({block: 'center'}); const box = element.getBoundingClientRect();
    return '\"x\": ' + (box.x + box.width / 2) + ', \"y\": ' + (box.y + box.height / 2); })(document.querySelector('$1'))")
  for type in mousePressed mouseReleased; do
    devtools Input.dispatchMouseEvent "{\"type\": \"$type\", \"button\": \"left\", \"clickCount\": 1, $place}"
  done
}

press() {
  for type in rawKeyDown keyUp; do
    devtools Input.dispatchKeyEvent "{\"type\": \"$type\", \"key\": \"$1\", \"code\": \"$1\", \"windowsVirtualKeyCode\": $2}"
  done
}

messages() { printf '%d\n' "$BROWSER_MESSAGES"; }

# WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of the relative luminances. The background is that of the nearest ancestor that has one.
least_contrast() {
  js "(() => {
    const channels = color => color.match(/[0-9.]+/g).map(Number);
    const luminance = color => channels(color).slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const background = element => { const color = getComputedStyle(element).backgroundColor;
      return (channels(color)[3] ?? 1) > 0 || !element.parentElement ? color : background(element.parentElement); };
    let least = [99, ''];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
      if (!text || !element.checkVisibility() || element.closest('title, desc, script, style')) continue;
      const style = getComputedStyle(element), ink = element instanceof SVGElement ? style.fill : style.color;
      const [a, b] = [luminance(ink), luminance(background(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < least[0]) least = [ratio, text.slice(0, 40)];
    }
    return least[0].toFixed(2) + ' ' + least[1];
  })()"
}

print_page() {
  devtools Page.printToPDF '{"preferCSSPageSize": true, "printBackground": true}'
  member data | base64 -d >"$1"
}

picture() {
  devtools Page.captureScreenshot '{"format": "png"}'
  member data | base64 -d >"$1"
}
