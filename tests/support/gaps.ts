// The cases that WebGL leaves out of the suite. `supports` says so, too.

import type { Gap } from '@manybody/conformance'

export const webglGaps: readonly Gap[] = [
  {
    case: /^(lists|line: lists|pair cutoffs: lists of circles)/,
    reason: 'a fragment shader counts neighbours, but does not list them; use webgpu or cpu-wasm',
  },
  {
    case: /^(nearest: 256 of 300|vectors: the 20 largest)/,
    reason: 'a fragment shader keeps at most 16 neighbours; use webgpu or cpu-wasm',
  },
]
