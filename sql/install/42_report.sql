
-- ---- Report: a page to file and to sign --------------------------------------------------------------

CREATE FUNCTION anon_report(
  release regclass,
  internal boolean DEFAULT false,
  threshold float8 DEFAULT 0.09,
  qi text[] DEFAULT NULL,
  sensitive text[] DEFAULT NULL,
  source regclass DEFAULT NULL,
  asked jsonb DEFAULT NULL,
  context jsonb DEFAULT NULL,
  format text DEFAULT 'html')
RETURNS text
AS 'MODULE_PATHNAME', 'anon_report'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

COMMENT ON FUNCTION anon_report(regclass, boolean, float8, text[], text[], regclass, jsonb, jsonb, text) IS
'All that is known of a release as one self-contained page of HTML: a verdict with three answers, identity, context, '
'risks and attacks, class sizes, columns before and after, correlations, residual risks, history, the statement that '
'makes it again, and a map of the items of standards that figures or the context answer. The public '
'page holds no cell of the source and no count below k but 0; with internal it holds more, and says so. What needs the '
'source is left out, and said to be, for those who may not read it. threshold is the largest risk that is acceptable. '
'context is kept first, as by anon_context. With format ''json'' the same as a JSON object, whose shape is stable. '
'For another tool''s relation give qi, sensitive, source and, in asked, the levels of models that it is to have.';
