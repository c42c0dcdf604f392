// The check while you work: the types of the changed projects, and the tests nearest to the change. It proves less than `npm test`, which
// runs all tests.

import { spawnSync } from 'node:child_process'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { nearestTests } from './support/nearest-tests.ts'
import { projects } from './support/projects.ts'

const {
  values: { since = 'HEAD', watch },
} = argumentsFrom(
  `Usage: npm run quick -- [options]

Checks the types of what has changed, and runs the nearest tests that need only Node, in about a minute.

  --since <commit>  what has changed since then; by default, since the last commit
  --watch           runs the tests again whenever a file changes
  --help            print this text`,
  { since: { type: 'string' }, watch: { type: 'boolean' } },
)
/** The number of test files that two processors run in about 40 s. */
const most = 24

function git(...args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync('git', [...args], { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout.split('\n').filter(Boolean)
  console.error(`quick: git ${args.join(' ')} failed: ${stderr.trim()}`)
  process.exit(2)
}

const run = (...args: readonly string[]) =>
  spawnSync('npx', [...args], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const folders = projects.filter((project) => changed.some((file) => file.startsWith(`${project}/`)))
const all = git('ls-files', '--cached', '--others', '--exclude-standard', 'packages/*.test.ts', 'tests/node/*.test.ts')
const reaching = await nearestTests(all, changed)
const tests = reaching.slice(0, most)
console.log(
  changed.length === 0
    ? `Nothing has changed since ${since}; name another commit with --since.`
    : `${changed.length} files changed; types of ${folders.join(', ') || 'nothing'}; ${tests.length} of the ${reaching.length} test files that reach them.`,
)
const passed = [
  folders.length === 0 || run('tsx', 'scripts/types.ts', ...folders),
  tests.length === 0 || run('vitest', watch ? 'watch' : 'run', '--project', 'node', ...tests),
]
process.exitCode = passed.every(Boolean) ? 0 : 1
