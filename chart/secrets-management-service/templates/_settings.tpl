{{/* The data of the ConfigMap: what the chart's own values imply, then `settings`. */}}
{{- define "settings" -}}
{{- $settings := dict "NODE_ENV" "production" "LOG_LEVEL" "info" -}}
{{- $elsewhere := dict "NODE_OPTIONS" "nodeOptions" "POD_NAMESPACE" "--namespace" -}}
{{- range list "SESSION_SECRET" "SESSION_SECRET_PREVIOUS" "OIDC_CLIENT_SECRET" "OTEL_EXPORTER_OTLP_HEADERS" }}{{ $_ := set $elsewhere . "the Secret of secretName" }}{{ end -}}
{{- range $name, $place := $elsewhere }}{{ if hasKey $.Values.settings $name }}{{ fail (printf "%s belongs in %s, not in settings" $name $place) }}{{ end }}{{ end -}}
{{- if .Values.waitForSettings }}{{ $_ := set $settings "SERVICE_WAIT_FOR_SETTINGS" "true" }}{{ end -}}
{{- if and .Values.namespaces .Values.settings.SERVICE_NAMESPACES }}{{ fail "namespaces and settings.SERVICE_NAMESPACES: set the first alone, which gives rights, too" }}{{ end -}}
{{- with .Values.namespaces }}{{ $_ := set $settings "SERVICE_NAMESPACES" (join "," .) }}{{ end -}}
{{- if and (eq (toString .Values.settings.SERVICE_CONSUMERS_ENABLED) "true") (not (or .Values.consumers.enabled .Values.restart.enabled)) }}{{ fail "settings.SERVICE_CONSUMERS_ENABLED: set consumers.enabled instead, which gives the rights, too" }}{{ end -}}
{{- if and (eq (toString .Values.settings.SERVICE_RESTART_ENABLED) "true") (not .Values.restart.enabled) }}{{ fail "settings.SERVICE_RESTART_ENABLED: set restart.enabled instead, which gives the rights, too" }}{{ end -}}
{{- if .Values.consumers.enabled }}{{ $_ := set $settings "SERVICE_CONSUMERS_ENABLED" "true" }}{{ end -}}
{{- if .Values.restart.enabled }}{{ $_ := set $settings "SERVICE_RESTART_ENABLED" "true" }}{{ end -}}
{{- if and (or .Values.settings.SERVICE_TLS_CERT_FILE .Values.settings.SERVICE_TLS_KEY_FILE) (not .Values.tls.enabled) }}{{ fail "settings.SERVICE_TLS_CERT_FILE, SERVICE_TLS_KEY_FILE: set tls.enabled instead, which mounts them, and which the Service and the Ingress follow" }}{{ end -}}
{{- if .Values.tls.enabled -}}
{{- $_ := set $settings "SERVICE_TLS_CERT_FILE" "/etc/server-tls/tls.crt" }}{{ $_ := set $settings "SERVICE_TLS_KEY_FILE" "/etc/server-tls/tls.key" -}}
{{- end -}}
{{- range $name, $value := .Values.settings }}{{ $_ := set $settings $name (toString $value) }}{{ end -}}
{{- range .Values.extraEnv -}}
{{- $place := get $elsewhere .name -}}
{{- if or (hasKey $settings .name) (regexMatch "^(SERVICE_.+|PORT|OPS_PORT|NEXT_PUBLIC_APP_URL)$" .name) }}{{ $place = "settings" }}{{ end -}}
{{- if $place }}{{ fail (printf "%s belongs in %s, not in extraEnv" .name $place) }}{{ end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end }}

{{/* The host that browsers use: the given one, or that of the public address. Takes the root and the given one. */}}
{{- define "host" -}}
{{- $root := index . 0 -}}
{{- with index . 1 -}}
{{- . -}}
{{- else -}}
{{- $url := required "settings.NEXT_PUBLIC_APP_URL is required for the host" $root.Values.settings.NEXT_PUBLIC_APP_URL -}}
{{- (urlParse $url).hostname -}}
{{- end -}}
{{- end }}
