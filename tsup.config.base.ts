// How every package is built: one ES module per entry, with types. `node:` prefixes stay, so that bundlers for the
// browser see that an import is Node's own.

import type { Options } from 'tsup'

const base: Options = {
  entry: ['src/index.ts'],
  format: 'esm',
  dts: true,
  clean: true,
  sourcemap: true,
  target: 'es2022',
  removeNodeProtocol: false,
}

export default base
