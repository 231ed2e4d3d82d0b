/** The little project that the offline model repairs: a shell script with one bug, and the test that shows it. */

export interface DemoFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly text: string;
}

export interface DemoTask {
  readonly files: readonly DemoFile[];
  readonly prompt: string;
}

const SLUGIFY = `#!/bin/sh
# Turns a title into a slug for a file name or an address.
#   sh slugify.sh "Hello, World!"   prints   hello-world
LC_ALL=C
export LC_ALL

slug=$(printf '%s' "$1" | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9' '-')
slug=$(printf '%s\\n' "$slug" | sed -e 's/-$//')
printf '%s\\n' "$slug"
`;

const TEST = `#!/bin/sh
# Runs slugify.sh on a few titles. Fails when one of them comes out wrong.
failed=0

check() {
  got=$(sh ./slugify.sh "$1")
  if [ "$got" = "$2" ]; then
    echo "ok    '$1' -> $got"
  else
    echo "FAIL  '$1' -> '$got', expected '$2'"
    failed=1
  fi
}

check 'Hello, World!' 'hello-world'
check 'One  --  two' 'one-two'
check '  Trim me  ' 'trim-me'
check '"Quoted" title' 'quoted-title'

exit $failed
`;

export const demoTask: DemoTask = {
  files: [{ path: "slugify.sh", text: SLUGIFY }, { path: "test.sh", text: TEST }],
  prompt: "The tests in test.sh fail. Find out why, fix slugify.sh and show that the tests pass.",
};
