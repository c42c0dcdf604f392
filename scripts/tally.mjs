// Turns vitest's JSON report and the exit codes of tests and checks into the one line `N passed, N failed`.
// Skipped tests count as neither and are named; a run that ended badly, or ran nothing, counts as a failure.

import { readFileSync } from 'node:fs'

const [reportPath = '', testsExit, checksExit] = process.argv.slice(2)
const files = readReport(reportPath)
const tests = files.flatMap(({ assertionResults }) => assertionResults)

const passed = tests.filter(({ status }) => status === 'passed').length
const brokenFiles = files.filter((file) => file.status === 'failed' && !file.assertionResults.some(hasFailed)).length
let failed = tests.filter(hasFailed).length + brokenFiles
if (failed === 0 && (testsExit !== '0' || passed === 0)) failed += 1
if (checksExit !== '0') failed += 1

for (const { status, fullName } of tests)
  if (status !== 'passed' && status !== 'failed') console.log(`${status}: ${fullName}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** @param {{ status: string }} test */
function hasFailed({ status }) {
  return status === 'failed'
}

/**
 * @param {string} path
 * @returns {{ status: string, assertionResults: { status: string, fullName: string }[] }[]}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    console.log('The test run left no report.')
    return []
  }
}
