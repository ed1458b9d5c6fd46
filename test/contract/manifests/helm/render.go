// Renders a Helm chart as `helm template` does, with the template language and the function library that Helm has:
// render CHART NAMESPACE < values.json. The values on stdin are merged over those of the chart.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, namespace string) error {
	var about, values, given map[string]interface{}
	if err := readYaml(filepath.Join(chart, "Chart.yaml"), &about); err != nil {
		return err
	}
	if err := readYaml(filepath.Join(chart, "values.yaml"), &values); err != nil {
		return err
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	data := map[string]interface{}{
		"Values":  merged(values, given),
		"Chart":   map[string]interface{}{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": map[string]interface{}{"Name": "release", "Namespace": namespace, "Service": "Helm"},
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	// Helm's helpers have an ending of their own: .tpl.
	wanted := ".yaml"
	if os.Getenv("NOTES") != "" {
		wanted = ".txt"
	}
	for _, file := range files {
		name := filepath.Base(file)
		if filepath.Ext(name) != wanted {
			continue
		}
		var out bytes.Buffer
		if err := root.ExecuteTemplate(&out, name, data); err != nil {
			return err
		}
		// Helm writes <no value> for what is missing as nothing.
		fmt.Printf("---\n%s\n", strings.ReplaceAll(out.String(), "<no value>", ""))
	}
	return nil
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(all, name)
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	return all
}

func readYaml(file string, into *map[string]interface{}) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// Maps are merged, anything else is replaced.
func merged(values, given map[string]interface{}) map[string]interface{} {
	result := map[string]interface{}{}
	for name, value := range values {
		result[name] = value
	}
	for name, value := range given {
		below, isMap := value.(map[string]interface{})
		own, wasMap := result[name].(map[string]interface{})
		if isMap && wasMap {
			result[name] = merged(own, below)
		} else {
			result[name] = value
		}
	}
	return result
}
