// The benchmark: what `npm run bench` runs.

import * as manybody from 'manybody'

console.log(`manybody exports ${Object.keys(manybody).length} names`)
