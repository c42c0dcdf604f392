// The worker is a separate, complete file, because threads load it by its address, whatever bundles the rest. So is the printer of modules,
// because it alone has the names of locals.

import base from '../../tsdown.config.base.ts'
import { kernels } from './kernels.ts'

export default [
  { ...base, entry: ['src/index.ts', 'src/at-once.ts', 'src/compile.ts'], plugins: [kernels(false)] },
  { ...base, entry: ['src/text.ts'], plugins: [kernels(true)] },
  { ...base, entry: { worker: 'src/run/threads/worker.ts' }, dts: false },
]
