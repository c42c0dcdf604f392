// docs/support.md is generated: the committed page must match the present answers of the backends. `npm run support` rewrites it.

import { webgl } from '@manybody/backend-webgl'
import { type Backend, backends } from 'manybody'
import { expect, test } from 'vitest'
import { supportPage } from '../../scripts/pages/support.ts'
import { angleContexts } from '../support/angle.ts'

/** Every backend of this library, WebGL in both versions. */
async function asked(): Promise<Record<string, Backend>> {
  const [webgl2, webgl1] = [await angleContexts(2), await angleContexts(1)]
  const columns = backends().flatMap((backend): [string, Backend][] =>
    backend.name === 'webgl'
      ? [
          ['`webgl`, WebGL2', webgl({ context: webgl2 })],
          ['`webgl`, WebGL1', webgl({ context: webgl1 })],
        ]
      : [[`\`${backend.name}\``, backend]],
  )
  return Object.fromEntries(columns)
}

test('docs/support.md is current; if not, run `npm run support`', async () => {
  await expect(await supportPage(await asked())).toMatchFileSnapshot('../../docs/support.md')
})
