/** A JSON Schema, as it stands in the document. */
export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  description?: string
}

export interface Reference {
  $ref: string
}

export type Content = Record<string, { schema: Schema }>

export interface Response {
  description: string
  headers?: Record<string, Reference>
  content?: Content
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | Reference>
}

/** As much of an OpenAPI 3.1 document as we write. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  jsonSchemaDialect: string
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: Schema }>
    securitySchemes: Record<string, Schema>
  }
}

/** Whether the document says it elsewhere. */
export function isReference(value: object): value is Reference {
  return '$ref' in value
}
