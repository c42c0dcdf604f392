import base from '../../tsdown.config.base.ts'

export default { ...base, entry: { index: 'src/index.ts', d3: 'src/d3/many-body.ts' } }
