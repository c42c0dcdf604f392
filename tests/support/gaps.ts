// What the backends of graphics cards leave out of the suite. They say so in `supports`, too.

import type { Gap } from '@manybody/conformance'

export const gpuGaps: readonly Gap[] = [
  { case: /^lists: /, reason: 'graphics cards count neighbours, but do not list them; use cpu-wasm' },
]
