{% macro publish_visits() %}
SELECT CASE WHEN to_regclass('{{ target.schema }}.visits_public') IS NULL
  THEN (SELECT rows FROM anon_publish('{{ target.schema }}.visits_public', '{{ target.schema }}.patients', '{birth_date,weight}', 5,
                                      sensitive => '{diagnosis}', l => 2))
  ELSE (SELECT rows FROM anon_refresh(to_regclass('{{ target.schema }}.visits_public')))
END;
{% endmacro %}
