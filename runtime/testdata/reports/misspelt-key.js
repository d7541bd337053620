const result = JSON.parse('{"items": [1], "count": 1}');
result.itmes.forEach(item => console.log(item));
