// The worker is a separate, complete file, because threads load it by its address, whatever bundles the rest.

import base from '../../tsup.config.base.ts'

export default [
  { ...base, entry: ['src/index.ts', 'src/text.ts'], clean: ['!worker.js', '!worker.js.map'] },
  { ...base, entry: { worker: 'src/threads/worker.ts' }, dts: false, clean: false },
]
