// Lets the conformance suite load on Node 20: it imports globSync, which came with
// Node 22, for a command that is not used here.
import { register } from 'node:module'

const fs = `
export * from 'node:fs'
export { default } from 'node:fs'
export const globSync = () => { throw new Error('this needs Node 22') }
`
const hook = `
const fs = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(fs)})
export function resolve(name, context, next) {
  return name === 'fs' && context.parentURL?.includes('/conformance/dist/') ? { url: fs, shortCircuit: true } : next(name, context)
}
`
if (Number(process.versions.node.split('.')[0]) < 22) register('data:text/javascript,' + encodeURIComponent(hook))
