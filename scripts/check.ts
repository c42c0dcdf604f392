// Runs every check in turn, even after a failure, and lists the failed ones at the end.
// The checks themselves are the npm scripts named here: each runs alone too.

import { spawnSync } from 'node:child_process'
import { argumentsFrom } from '../tools/arguments.mjs'

const { values } = argumentsFrom(
  `Usage: npm run check -- [options]

Checks everything: format and lint, types, unused code, sizes, packages, and all tests.

  --sources  only the checks of the sources, which may run beside the tests
  --static   leave out the tests
  --help     print this text`,
  { sources: { type: 'boolean' }, static: { type: 'boolean' } },
)
const ofSources = ['lint', 'types', 'unused', 'prose', 'size']
// Where the tests of environments run, one of them checks the packages.
const tested = process.platform === 'linux' && process.arch === 'x64'
const others = values.static ? ['tarballs'] : tested ? ['unit'] : ['tarballs', 'unit']
const checks = values.sources ? ofSources : [...ofSources, ...others]

const failed = checks.filter((check) => {
  console.log(`\n== ${check}`)
  const shell = process.platform === 'win32' // On Windows, npm is a script that only a shell can start.
  return spawnSync('npm', ['run', '--silent', check], { stdio: 'inherit', shell }).status !== 0
})
console.log(failed.length === 0 ? '\nAll checks pass.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
