// Speaks to a host as any client that is made with the official TypeScript SDK does:
//   node client.mjs http://127.0.0.1:3000/<agent>
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const base = process.argv[2]

async function connect(route) {
  const client = new Client({ name: 'interop', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(base + route))
  await client.connect(transport)
  assert.equal(transport.sessionId, undefined, 'a session id was handed out')
  assert.equal(client.getServerVersion().name, 'tester')
  return client
}

const text = (result) => result.content.map((c) => c.text).join('')

async function chat() {
  const client = await connect('/v1/mcp')
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map((t) => t.name), ['ask', 'call_tool', 'check'])
  await client.ping()

  // The SDK holds structured content against the output schema.
  const first = await client.callTool({ name: 'ask', arguments: { message: 'hello' } })
  assert.equal(first.structuredContent.status, 'finished')
  assert.deepEqual(JSON.parse(text(first)), first.structuredContent)
  const { sessionId, reply } = first.structuredContent
  assert.match(reply, /hello/)

  const said = []
  const second = await client.callTool(
    { name: 'ask', arguments: { message: '/call add {"a":1,"b":2}', sessionId } },
    undefined,
    { onprogress: (p) => said.push(p.message) },
  )
  assert.equal(second.structuredContent.sessionId, sessionId)
  assert.match(second.structuredContent.reply, /3/)
  assert.deepEqual(said.slice(0, 4), [`the session is ${sessionId}`, 'the turn has started', 'step 1', 'calls add'])

  const checked = await client.callTool({ name: 'check', arguments: { sessionId, waitSeconds: 0 } })
  assert.deepEqual(checked.structuredContent, second.structuredContent)

  const parked = await client.callTool({ name: 'ask', arguments: { message: '/call erase {}' } })
  assert.equal(parked.structuredContent.status, 'parked')

  const sum = await client.callTool({ name: 'call_tool', arguments: { name: 'add', input: { a: 2, b: 3 } } })
  assert.deepEqual(JSON.parse(text(sum)), { total: 5 })
  const refused = await client.callTool({ name: 'call_tool', arguments: { name: 'erase' } })
  assert.ok(refused.isError && /approval_required/.test(text(refused)))
  const foreign = await client.callTool({ name: 'check', arguments: { sessionId: 'ses_01J0000000000000000000000A' } })
  assert.ok(foreign.isError && /unknown_session/.test(text(foreign)))

  const over = new AbortController()
  const waiting = client.callTool({ name: 'ask', arguments: { message: '/call erase {}', sessionId: parked.structuredContent.sessionId } }, undefined, { signal: over.signal })
  over.abort('no more')
  await assert.rejects(waiting)
  await client.close()
}

async function tools() {
  const client = await connect('/v1/mcp/tools')
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map((t) => t.name), ['add', 'erase', 'json_schema_2020_12_tool', 'test_audio_content', 'test_embedded_resource', 'test_error_handling', 'test_image_content',
    'test_multiple_content_types', 'test_simple_text'])
  const image = await client.callTool({ name: 'test_image_content', arguments: {} })
  assert.deepEqual([image.content.length, image.content[0].type, image.content[0].mimeType], [1, 'image', 'image/png'])
  const { add, erase } = Object.fromEntries(tools.map((t) => [t.name, t]))
  assert.equal(add.annotations.readOnlyHint, true)
  assert.equal(erase.annotations.destructiveHint, true)
  assert.deepEqual(add.inputSchema.required, ['a', 'b'])
  const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
  assert.deepEqual(sum.structuredContent, { total: 5 })
  const bad = await client.callTool({ name: 'add', arguments: { a: 'two' } })
  assert.ok(bad.isError && /invalid_input/.test(text(bad)))
  await assert.rejects(client.callTool({ name: 'nope' }), /-32602/)
  await assert.rejects(client.listPrompts(), /prompts/)
  await client.close()
}

await chat()
await tools()
console.log('all is well')
