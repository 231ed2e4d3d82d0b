/** Protection that asks too often is switched off: what ordinary sessions run, and how little of it is asked about. */
import assert from "node:assert/strict";
import { verdict } from "../support/permissions.ts";

/** Looking around. */
const READING = `
git status
git status --short && git diff --stat
git -C packages/core log --oneline -10
git log --oneline -20 -- src/a.ts
git diff HEAD~1 -- src
git show HEAD --stat
git blame -L 10,40 src/a.ts
git diff --name-only main...HEAD
git ls-files '*.ts' | wc -l
git grep -n 'TODO' -- src | head -50
ls -la
ls -R src | head -100
cat package.json
cat src/a.ts src/b.ts
head -50 README.md
tail -n 100 build.log 2>/dev/null
sort names.txt | uniq -c | sort -rn | head
rg -n 'createGate' src
rg -l foo --glob '*.ts' src | wc -l
rg 'a|b' src 2>/dev/null || true
grep -rn "createPolicy" src --include=*.ts | head -20
find . -name '*.test.ts' -not -path './node_modules/*' | head
find src -type f -name '*.ts' | xargs -0 wc -l | tail -1
wc -l src/*.ts
du -sh node_modules
stat -c '%s' a.bin
file a.bin
diff -u a.txt b.txt
pwd && ls
cd src && ls && cd ..
test -f package.json && cat package.json || echo none
for f in src/*.ts; do wc -l "$f"; done
if [ -d dist ]; then ls dist; fi
which node npm
node --version; npm --version
command -v rg
echo "done"
date +%F
tree -L 2 -I node_modules
cat <<'EOF'
no $(command) here
EOF
go list ./...
go vet ./...
cat package.json | head -5 | cut -d: -f1
printenv PATH
uname -a
timeout 10 rg foo
basename "$(pwd)"
`;

/** Building, testing, editing, keeping. */
const WORKING = `
npm test
npm ci
npm run build 2>&1 | tail -40
npm test -- --grep 'some test' 2>&1 | grep -E 'fail|pass' | head
npx tsc --noEmit
pnpm install --frozen-lockfile
deno task ok
deno test -A src/a_test.ts
cargo build --release
cargo test my_test -- --nocapture
go test ./... -run TestX -count=1
go build ./...
make -j4 all
make test 2>&1 | tee build.log
pytest -x tests/test_a.py -k 'name'
python -m pytest -q
python scripts/gen.py --out dist
python3 -m venv .venv && . .venv/bin/activate
node scripts/build.js
mkdir -p src/new
touch src/new/a.ts
cp a.txt b.txt
mv a.txt c.txt
rm dist/old.js
rm -rf dist
chmod +x run.sh
./run.sh --fast
bash scripts/ci.sh
sed -i 's/foo/bar/g' src/a.ts
sed -n '1,80p' src/a.ts
awk -F: '{print $1 " | " $2}' a.txt
jq '.scripts' package.json
curl -s http://localhost:3000/health
git add -A && git commit -m "fix: handle \\$HOME and (parens)"
git checkout -b topic
git switch main
git stash && git pull --rebase && git stash pop
git merge topic
git push -u origin topic
git rebase main
git tag v1.0.0
docker build -t app .
docker compose up -d
cat > src/c.ts <<'EOF'
export const c = \`a \${b}\`;
EOF
FOO=1 npm test
NODE_ENV=test npx vitest run
export CI=1; npm test
npm run build > build.log 2>&1
tar czf out.tgz dist --exclude=.git
ls *.md
prettier --write 'src/**/*.ts'
for d in packages/*; do npm test --prefix "$d"; done
cd packages/core && npm run build && cd -
terraform plan
kubectl get pods
gh pr view 12
ps aux | grep node | awk '{print $2}'
xargs -n1 echo < list.txt
timeout 60 npm test
time cargo test
`;

/** Here-documents are kept whole. */
function commands(text: string): readonly string[] {
  return text.trim().replace(/<<'EOF'\n[\s\S]*?\nEOF/g, (body) => body.replaceAll("\n", "\u0001")).split("\n")
    .map((line) => line.replaceAll("\u0001", "\n"));
}

Deno.test("looking around is never asked about", () => {
  const asked = commands(READING).filter((command) => verdict({}, command) !== "allow");
  // `xargs` runs another program, even when that one reads.
  assert.deepEqual(asked, ["find src -type f -name '*.ts' | xargs -0 wc -l | tail -1"]);
});

Deno.test("where changes are allowed, work is asked about only when it runs text", () => {
  const asked = commands(WORKING).filter((command) => verdict({}, command, { fallback: "allow" }) !== "allow");
  assert.deepEqual(asked, ["python3 -m venv .venv && . .venv/bin/activate"]);
});

Deno.test("a handful of rules covers the daily commands without another question", () => {
  const allow = ["Bash(npm test:*)", "Bash(npm run:*)", "Bash(git add:*)", "Bash(git commit:*)", "Bash(cargo:*)"];
  const covered = [
    "npm test",
    "npm run build 2>&1 | tail -40",
    "npm test -- --grep 'a && b' 2>/dev/null | head",
    'git add -A && git commit -m "fix: a > b; c"',
    "cd core && npm run build && npm test",
    "timeout 60 npm test",
    "time cargo test",
    "(cd a && cargo build) && cargo test || git status",
    "if npm test; then npm run build; else git diff; fi",
    "git commit -m 'one\n\ntwo' && git log -1",
  ];
  assert.deepEqual(covered.filter((command) => verdict({ allow }, command) !== "allow"), []);
});
