// The naive-against-tuned ladder of the WebGL backend: minutes, so it is no test. It runs in the browser of the tests, or
// in the one that `CHROMIUM` names, with the flags in `CHROMIUM_FLAGS`: a GPU, or another rasteriser, is measured so.

import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import browser from './vitest.config.ts'

const { CHROMIUM, CHROMIUM_FLAGS = '' } = process.env
const flags = ['--no-sandbox', ...CHROMIUM_FLAGS.split(' ')]

export default defineConfig({
  ...browser,
  root: import.meta.dirname,
  test: {
    ...browser.test,
    name: 'ladder',
    include: ['../../packages/backend-webgl/bench/*.browser.ts'],
    browser: {
      ...browser.test?.browser,
      ...(CHROMIUM && { provider: playwright({ launchOptions: { executablePath: CHROMIUM, args: flags } }) }),
    },
  },
})
