import { Ajv2020 } from 'ajv/dist/2020.js'

const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const text = { type: 'string' }
const mapOf = (name: string) => ({ type: 'object', additionalProperties: ref(name) })
const either = (name: string) => ({
  if: { type: 'object', required: ['$ref'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: ref('reference'),
  else: ref(name),
})
const closed = (required: string[], properties: object, more: object = {}) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
  ...more,
})
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/**
 * The structure of an OpenAPI 3.1.0 document, as its specification describes each object. Every
 * object is closed: a field in the wrong place is a finding.
 */
const shape = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...closed(['openapi', 'info', 'paths'], {
    openapi: { const: '3.1.0' },
    info: ref('info'),
    jsonSchemaDialect: { type: 'string', pattern: '^https://' },
    servers: { type: 'array', items: closed(['url'], { url: text, description: text }) },
    tags: {
      type: 'array',
      uniqueItems: true,
      items: closed(['name'], { name: text, description: text }),
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: ref('path'),
    },
    components: ref('components'),
  }),
  $defs: {
    reference: closed(['$ref'], { $ref: { type: 'string', pattern: '^#/components/' } }),
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    info: closed(['title', 'version'], {
      title: text,
      version: text,
      description: text,
      license: closed(['name', 'identifier'], { name: text, identifier: text }),
    }),
    path: {
      type: 'object',
      minProperties: 1,
      propertyNames: { enum: methods },
      additionalProperties: ref('operation'),
    },
    operation: closed(['operationId', 'responses', 'summary', 'tags'], {
      operationId: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$' },
      tags: { type: 'array', minItems: 1, items: text },
      summary: { type: 'string', pattern: '\\.$' },
      description: text,
      security: {
        type: 'array',
        items: { type: 'object', additionalProperties: { type: 'array', items: text } },
      },
      parameters: { type: 'array', uniqueItems: true, items: either('parameter') },
      requestBody: closed(['content'], { required: { type: 'boolean' }, content: ref('content') }),
      responses: {
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^([1-5]\\d\\d|default)$' },
        additionalProperties: either('response'),
      },
    }),
    parameter: closed(
      ['name', 'in', 'schema'],
      {
        name: text,
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        required: { type: 'boolean' },
        description: text,
        schema: ref('schema'),
      },
      {
        if: { properties: { in: { const: 'path' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['required'], properties: { required: { const: true } } },
      },
    ),
    content: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z]+/[a-z0-9.+*-]+$' },
      additionalProperties: closed(['schema'], { schema: ref('schema') }),
    },
    response: closed(['description'], {
      description: text,
      headers: { type: 'object', additionalProperties: either('header') },
      content: ref('content'),
    }),
    header: closed(['schema'], { description: text, schema: ref('schema') }),
    security: {
      oneOf: [
        closed(['type', 'in', 'name'], {
          type: { const: 'apiKey' },
          in: { enum: ['query', 'header', 'cookie'] },
          name: text,
          description: text,
        }),
        closed(['type', 'scheme'], { type: { const: 'http' }, scheme: text, description: text }),
      ],
    },
    components: closed(
      [],
      {
        schemas: mapOf('schema'),
        responses: mapOf('response'),
        parameters: mapOf('parameter'),
        headers: mapOf('header'),
        securitySchemes: mapOf('security'),
      },
      { additionalProperties: false },
    ),
  },
}

/** What is wrong with the structure of a document; nothing where all is right. */
export function findFaults(document: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(shape)
  validate(document)
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  )
  return [...faults, ...findDangling(document)]
}

/** References that lead nowhere. */
function findDangling(document: unknown): string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, to]) => to ?? '',
  )
  return [...new Set(refs)]
    .filter((to) => !resolves(document, to))
    .map((to) => `${to} is not there`)
}

function resolves(document: unknown, to: string): boolean {
  let found: unknown = document
  for (const step of to.replace(/^#\//, '').split('/')) found = Object(found)[step]
  return to.startsWith('#/') && found !== undefined
}
