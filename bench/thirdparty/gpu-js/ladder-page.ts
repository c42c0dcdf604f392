/** The code inside the page of the headless browser for `ladder`: it runs each rung in a context of each WebGL version. */

import { webgl } from '@manybody/backend-webgl'
import { browserEnvironment } from '../../src/browser/environment.ts'
import { offer } from '../../src/browser/page-api.ts'
import { backendContender, Devices } from '../../src/contenders/backend.ts'
import { sessionOf } from '../../src/sessions/local-session.ts'
import { gpuJsByHand } from './gpu-js-by-hand.ts'

offer(() => {
  const all = ([2, 1] as const).map((version) => {
    const context = () =>
      new OffscreenCanvas(2, 2).getContext(version === 2 ? 'webgl2' : 'webgl') as WebGL2RenderingContext | null
    const [name, backend, devices] = [`webgl, WebGL${version}`, webgl({ context }), new Devices()]
    const naive = backendContender(name, backend, { plan: { variant: 'naive' } }, devices)
    return {
      devices,
      contenders: [
        { ...naive, name: `${name}, naive` },
        gpuJsByHand(version, context, backend),
        backendContender(name, backend, {}, devices),
      ],
    }
  })
  return sessionOf(
    browserEnvironment(),
    () => all.flatMap(({ contenders }) => contenders),
    async () => {
      for (const { devices } of all) await devices.dispose()
    },
  )
})
