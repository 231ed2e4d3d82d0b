import assert from "node:assert/strict";
import { analyze } from "../../../tests/support/permissions.ts";
import { READERS } from "./readers.ts";

/** One line that only reads for every program of the table, so that none stands there untried. */
const READING = `
ls -laR --color=never src
cat -n a b
head -n 5 a
tail -n +2 a
wc -l a
stat -c %s a
du -sh .
df -h
grep -rn x src
egrep 'a|b' f
fgrep a f
echo -n a b
basename a/b .ts
dirname a/b
readlink -f a
realpath a
which node
type node
cut -d: -f1 a
tr a b
nl a
tac a
rev a
paste a b
fold -w 80 a
expand a
unexpand a
comm a b
join a b
cmp a b
od -c a
strings a
column -t a
hexdump -C a
tsort a
look a b
numfmt 1000
seq 1 10
factor 12
true
false
: a
test -f a
[ -f a ]
pwd -P
cd src
pushd src
popd
dirs
whoami
printenv PATH
uname -a
nproc
arch
tty
groups
uptime
free -m
ps aux
pgrep node
locale
exit 1
return 0
break
continue
shift
printf '%s\\n' a
set -euo pipefail
env
hostname -f
date -u +%F
diff -ru a b
sort -k2,2 -t, -u a
uniq -c a
xxd -p a
base64 -d a
base32 -d a
file --mime-type a
md5sum a
sha1sum a
sha224sum a
sha256sum -c a
sha384sum a
sha512sum a
b2sum a
cksum a
sum a
shasum -a 256 a
tree -L 2 -I node_modules
rg -n --hidden -g '*.ts' x src
fd -e ts x src
fdfind x
find . -maxdepth 2 -name '*.ts' -not -path './x/*' -mtime -7 -print0
find . ( -name a -o -name b ) -type f
node --version
npm -v
deno --version
bun --version
python --version
python3 -V
pip --version
pip3 --version
ruby --version
gem --version
java --version
javac --version
gcc --version
clang --version
make --version
cmake --version
docker --version
kubectl --version
php --version
perl --version
tsc --version
bash --version
gh --version
terraform --version
go vet ./...
go doc fmt
go list -m all
go env GOPATH
go version
`.trim().split("\n").map((line) => line.replace("( ", "\\( ").replace(" )", " \\)"));

/** What the same programs do when asked otherwise. */
const ACTING = `
printf -v PATH x
set -k
set -o keyword
set a b
env ls
env -i
hostname evil
date -s 2020-01-01
date 010100002020
diff -l a b
sort -o a b
sort -oa b
sort -no a b
sort --output=a b
sort --outp a b
sort --compress-program=./x a
sort -T /x a
uniq a b
xxd -r a b
xxd a b
base64 -o a b
base64 --output a
base64 --output=a
base64 -oa
file -C -m a
tree -o a
tree -oa
tree -H . -R
rg --pre ./x a
rg --pre=./x a
rg --hostname-bin ./x a
rg -z a
rg --search-zip a
rg --unknown-flag a
fd . -x touch a
fd . --exec touch a
fd . -X touch a
fd . -l
find . -name f -exec touch a ;
find . -execdir touch a ;
find . -ok touch a ;
find . -okdir touch a ;
find . -delete
find . -fprintf a x
find . -fprint a
find . -fprint0 a
find . -fls a
find . -unknown
find . -name *
rg -e *
node x.js
node --version x.js
npm install
bash --version -c ls
python3 -V x.py
docker version
go test ./...
go build
go fmt
go run x.go
go env -w A=b
go env -u A
go vet -vettool=./x ./...
go list -toolexec ./x ./...
go list -export ./...
sed -n 1p a
awk 1 a
jq . a
tee a
xargs cat
curl x
wget x
make
touch a
id
sleep 1
git config --list
`.trim().split("\n").map((line) => line.replace(" ;", " \\;"));

Deno.test("every reader of the table reads", () => {
  assert.deepEqual(READING.filter((command) => !analyze(command).readOnly), []);
});

Deno.test("no reader of the table is untried", () => {
  const tried = new Set(READING.map((command) => command.split(" ", 1)[0]));
  assert.deepEqual([...READERS.keys()].filter((name) => !tried.has(name)), []);
});

Deno.test("options and arguments that write, run or set make a reader something else", () => {
  assert.deepEqual(ACTING.filter((command) => analyze(command).readOnly), []);
});

Deno.test("an option that no list names makes a risky reader something else", () => {
  const risky = [...READERS].filter(([, reader]) => reader.options !== "any").map(([name]) => name);
  assert.deepEqual(risky.filter((name) => analyze(`${name} --zz-new-option`).readOnly), []);
  assert.deepEqual(risky.filter((name) => analyze(`${name} -@`).readOnly), []);
});

Deno.test("a pattern that may become an option or a second file is not trusted", () => {
  const commands = ["sort *", "rg x *", "uniq a*", "tree *", "find *", "date *", "git log *.ts"];
  assert.deepEqual(commands.filter((command) => analyze(command).readOnly), ["git log *.ts"].slice(1));
});
