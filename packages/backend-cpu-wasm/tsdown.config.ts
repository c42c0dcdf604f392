// The worker is a separate, complete file, because threads load it by its address, whatever bundles the rest.

import base from '../../tsdown.config.base.ts'
import { kernels } from './kernels.ts'

export default [
  { ...base, entry: ['src/index.ts', 'src/at-once.ts', 'src/compile.ts', 'src/text.ts'], plugins: [kernels] },
  { ...base, entry: { worker: 'src/run/threads/worker.ts' }, dts: false },
]
