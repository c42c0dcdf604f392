import base from '../../tsdown.config.base.ts'

const entry = {
  index: 'src/index.ts',
  cli: 'src/cli.ts',
  compile: 'src/compile/index.ts',
  d3: 'src/d3/many-body.ts',
  files: 'src/files/index.ts',
  initial: 'src/initial/index.ts',
  run: 'src/run/index.ts',
  vite: 'src/compile/vite.ts',
}
export default { ...base, entry }
