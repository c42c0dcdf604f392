// The naive-against-tuned ladder of the WebGL backend, in the same browser as the tests: minutes, so it is no test.

import { defineConfig } from 'vitest/config'
import browser from './vitest.config.ts'

export default defineConfig({
  ...browser,
  root: import.meta.dirname,
  test: { ...browser.test, name: 'ladder', include: ['../../packages/backend-webgl/bench/*.browser.ts'] },
})
