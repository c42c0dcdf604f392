// Decides which tests cannot run on which machines, and why. The software GPU, the browser of the tests and the other JavaScript runtimes
// are programs for Linux on x64. On other machines the test files that need them are left out, and each is named in the report as a skipped
// test.

export interface Skipped {
  /** A test file, or a folder of them, as a path from the root. */
  readonly path: string
  readonly reason: string
}

const browser = 'the browser and the software GPU that come with the tests are built for Linux x64 only'
const shell = 'it starts POSIX programs'

const onLinuxOnly: readonly Skipped[] = [
  { path: 'tests/gpu', reason: browser },
  { path: 'tests/browser', reason: browser },
  { path: 'tests/environments', reason: browser },
  { path: 'tests/node/bench/page.test.ts', reason: browser },
  { path: 'tests/node/bench/commands.test.ts', reason: browser },
]
const notOnWindows: readonly Skipped[] = [
  { path: 'tests/node/pages/examples.test.ts', reason: shell },
  { path: 'tests/node/docs.test.ts', reason: shell },
  { path: 'tests/node/dependency-rules.test.ts', reason: shell },
  { path: 'tests/node/running/install.test.ts', reason: shell },
]

export function skippedOn(platform: string, arch: string): readonly Skipped[] {
  return [...(platform === 'linux' && arch === 'x64' ? [] : onLinuxOnly), ...(platform === 'win32' ? notOnWindows : [])]
}

/** The tests that are skipped on this machine. */
export const skipped: readonly Skipped[] = skippedOn(process.platform, process.arch)
