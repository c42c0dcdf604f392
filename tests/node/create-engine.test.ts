// Wrong values in place of options: `manybody` passes them to core unchanged, which rejects them.

import { createEngine } from 'manybody'
import { expect, test } from 'vitest'

test.each(['webgpu', null, 4])('options of %j are refused with the known names', async (options) => {
  const refusal = /^"engine options" expected an object with backends, backend, require, .*, got/
  await expect(createEngine(options as never)).rejects.toThrow(refusal)
})
