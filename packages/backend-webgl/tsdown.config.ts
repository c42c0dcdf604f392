import base from '../../tsdown.config.base.ts'

export default { ...base, entry: ['src/index.ts', 'src/compile.ts', 'src/text.ts'] }
