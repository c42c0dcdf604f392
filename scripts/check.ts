// Runs every check in turn, also after one failed, and says at the end which failed. `--static` leaves out the tests.
// The checks themselves are the npm scripts named here: each runs alone too.

import { spawnSync } from 'node:child_process'

const checks = ['lint', 'types', 'unused', 'size', 'tarballs', ...(process.argv.includes('--static') ? [] : ['unit'])]

const failed = checks.filter((check) => {
  console.log(`\n== ${check}`)
  return spawnSync('npm', ['run', '--silent', check], { stdio: 'inherit' }).status !== 0
})
console.log(failed.length === 0 ? '\nAll checks pass.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
