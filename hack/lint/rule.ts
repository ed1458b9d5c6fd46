import type { RuleTester } from 'oxlint/plugins-dev';

/** A rule as oxlint runs it: it sees the syntax of a file, and no types. */
export type Rule = Parameters<RuleTester['run']>[1];
type Visitor = ReturnType<NonNullable<Rule['create']>>;
export type NodeOf<Kind extends keyof Visitor> = Parameters<NonNullable<Visitor[Kind]>>[0];
export type Context = Parameters<NonNullable<Rule['create']>>[0];
export type Scope = ReturnType<Context['sourceCode']['getScope']>;
