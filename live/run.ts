// `npm run live`: serves the live page while you edit it, or builds it into live/dist.

import { relative } from 'node:path'
import { argumentsFrom } from '../tools/arguments.mjs'

const { values } = argumentsFrom(
  `Usage: npm run live -- [options]

Serves the live page here until Ctrl-C is pressed.

  --build        instead builds it into live/dist, for any plain file server
  --picture      instead takes its picture for the documentation, docs/pictures/live.jpg
  --port number  the port; 5173 by default, or the next that is free
  --help         print this text`,
  { build: { type: 'boolean' }, picture: { type: 'boolean' }, port: { type: 'string' } },
)
const port = Number(values.port ?? 5173)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`live: --port expected a number from 0 to 65535, got '${values.port}'; see --help`)
  process.exit(2)
}
const configFile = `${import.meta.dirname}/vite.config.ts`
if (values.build) {
  const { build } = await import('vite')
  await build({ configFile, logLevel: 'warn' })
  console.log(`The page is in ${relative(process.cwd(), `${import.meta.dirname}/dist`)}. Any file server can serve it.`)
} else if (values.picture) {
  const { takePicture } = await import('./picture.ts')
  console.log(`The picture is ${relative(process.cwd(), await takePicture(configFile))}.`)
} else {
  const { createServer } = await import('vite')
  const server = await createServer({ configFile, server: { port } })
  await server.listen()
  server.printUrls()
}
