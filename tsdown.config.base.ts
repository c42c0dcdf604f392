// How every package is built: one ES module per entry, with types. `node:` prefixes stay, so that bundlers for the browser see that an
// import is Node's own.

import type { UserConfig } from 'tsdown'

const base: UserConfig = {
  entry: ['src/index.ts'],
  format: 'esm',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  target: 'es2022',
  logLevel: 'warn',
  // Names of chunks stay the same when their content changes, so that a change of the API shows as one.
  hash: false,
}

export default base
